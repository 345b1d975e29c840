const week1 = [
  {
    "rollLong": "(4, 18) + 2",
    "rollShort": "20",
    "rollType": "2d20kh1+2",
    "rollVantage": "advantage",
    "sender": "Ser Odo",
    "time": "5/1/2031 7:02 PM",
    "title": "WILL: CHECK"
  },
  {
    "rollLong": "3 + 4",
    "rollShort": "7",
    "rollType": "1d6+1d4",
    "rollVantage": "none",
    "sender": "Brida",
    "time": "5/1/2031 7:03 PM",
    "title": "Ann rolls 1d100: 01 (critical)"
  },
  {
    "rollLong": "5 + 8 + 2",
    "rollShort": "16",
    "rollType": "3d8",
    "rollVantage": "none",
    "sender": "Ser Odo",
    "time": "5/1/2031 7:05 PM",
    "title": "MACE: DAMAGE"
  }
];
