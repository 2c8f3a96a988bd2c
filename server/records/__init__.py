"""Records: files of them, replaying games from them, and other servers' formats."""
