"""Messages out of the program: who gets them, by mail, webhook or file, once, and again only if it did not go out."""
