"""Records: files of them, games played again from them, and other servers' formats."""
