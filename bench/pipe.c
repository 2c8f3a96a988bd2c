/* The bare round trip of two C programs over two pipes: what a decision costs whoever does nothing but send and wait.

       pipe MESSAGES ROUNDS PROGRAM [ARGUMENT ...]

   MESSAGES has on each line what is written at once; a tab in it stands for a newline. Each is sent to the program, whose
   answer is waited for (poll) and read. Prints microseconds of a round trip: processor time of this process, and in all. */

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(clockid_t clock)
{
	struct timespec at;
	clock_gettime(clock, &at);
	return at.tv_sec * 1e6 + at.tv_nsec / 1e3;
}

int main(int argc, char **argv)
{
	char *lines[4096], *line = NULL, answer[4096];
	size_t lengths[4096], size = 0, count = 0;
	ssize_t length;
	int to[2], from[2];
	FILE *messages = argc > 3 ? fopen(argv[1], "r") : NULL;
	if (messages == NULL || pipe(to) || pipe(from))
		return 2;
	while (count < 4096 && (length = getline(&line, &size, messages)) > 0) {
		for (char *tab = line; (tab = strchr(tab, '\t')) != NULL; *tab = '\n')
			;
		lines[count] = strdup(line);
		lengths[count++] = (size_t)length;
	}
	if (fork() == 0) {
		dup2(to[0], 0);
		dup2(from[1], 1);
		close(to[1]);
		close(from[0]);
		execv(argv[3], argv + 3);
		_exit(127);
	}
	close(to[0]);
	close(from[1]);
	struct pollfd there = {from[0], POLLIN, 0};
	double used = now(CLOCK_PROCESS_CPUTIME_ID), began = now(CLOCK_MONOTONIC);
	int rounds = atoi(argv[2]);
	for (int round = 0; round < rounds; round++)
		for (size_t at = 0; at < count; at++)
			if (write(to[1], lines[at], lengths[at]) < 0 || poll(&there, 1, -1) < 0 || read(from[0], answer, sizeof answer) <= 0)
				return 1;
	printf("%f %f\n", (now(CLOCK_PROCESS_CPUTIME_ID) - used) / (rounds * count), (now(CLOCK_MONOTONIC) - began) / (rounds * count));
	return 0;
}
