/* Four programs forked and exec'ed by a program that holds next to nothing, until each has read the end of its input.

       forks ROUNDS PROGRAM [ARGUMENT ...]

   Prints microseconds of each round. */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec at;
	clock_gettime(CLOCK_MONOTONIC, &at);
	return at.tv_sec * 1e6 + at.tv_nsec / 1e3;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	for (int rounds = atoi(argv[1]); rounds > 0; rounds--) {
		double began = now();
		for (int bot = 0; bot < 4; bot++)
			if (fork() == 0) {
				dup2(open("/dev/null", O_RDONLY), 0);
				execv(argv[2], argv + 2);
				_exit(127);
			}
		while (wait(NULL) > 0)
			;
		printf("%f\n", now() - began);
		fflush(stdout);
	}
	return 0;
}
