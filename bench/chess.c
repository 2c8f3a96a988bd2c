/* A null chess engine: it speaks UCI, and both sides know one whole game by heart, so that an answer costs no thought.

   The game was played by chance: 104 moves of both sides, as many as two games of Hearts have cards, and at the end
   checkmate. From a position back to the last capture or pawn move, as far as a referee tells moves, it is four of them
   on average. No pawn is promoted, so that every move has four letters. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char GAME[] =
	"h2h4 g8h6 e2e4 c7c6 d2d4 c6c5 c2c3 h6g4 f1a6 c5c4 a6b5 b8a6 b5c4 g4h6 c1d2 a6c5 g1h3 c5d3 e1f1 d3b4 f1e2 d8b6 h3f4 b6e6 d1a4 e6d5 "
	"h1e1 h8g8 a4d7 d5d7 c4f7 h6f7 e2d1 d7d5 b1a3 d5e6 a1c1 e6d6 e1g1 d6d4 g1e1 c8e6 e1h1 e6c4 d1e1 c4b5 c1a1 f7e5 f4d5 e5g4 f2f4 e8d8 "
	"d2c1 d8c8 d5c7 g4h6 c7a6 e7e5 f4f5 b5e2 c1d2 h6g4 a6c7 d4c4 c7e8 e2d3 h1g1 d3f1 a3b1 b4c2 e1d1 g4e3 d2e3 c4e4 g1h1 e4b4 e3c1 c2a3 "
	"c1g5 b4b3 d1c1 b3b6 g5f4 b6d4 f4e3 d4h4 c1d1 f8c5 e3d4 c5e7 h1h3 c8d8 b1a3 h4h5 h3f3 h5h1 e8d6 e5e4 f3g3 e7g5 d4e5 a7a6 d6c8 f1d3 ";

/* Count the moves that were made before a position, by its own number and by those that are told after it. */
static size_t made(const char *position)
{
	const char *moves = strstr(position, " moves");
	char side = 'w';
	int whole = 1;
	size_t count = 0;
	sscanf(position, "position fen %*s %c %*s %*s %*d %d", &side, &whole);
	for (const char *at = moves ? moves + 1 : ""; (at = strchr(at, ' ')) != NULL; at++)
		count++;
	return 2 * (size_t)(whole - 1) + (side == 'b') + count;
}

int main(void)
{
	char *line = NULL;
	size_t size = 0, next = 0;
	while (getline(&line, &size, stdin) > 0 && strcmp(line, "quit\n") != 0) {
		if (strcmp(line, "uci\n") == 0)
			puts("id name null\nuciok");
		else if (strcmp(line, "isready\n") == 0)
			puts("readyok");
		else if (strncmp(line, "position ", 9) == 0)
			next = made(line);
		else if (strncmp(line, "go", 2) == 0)
			printf("bestmove %.4s\n", next < sizeof GAME / 5 ? GAME + 5 * next : "0000");
		fflush(stdout);
	}
	return 0;
}
