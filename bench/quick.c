/* A quick bot of one file: it answers with one of the legal plays that a request lists.

       quick first|last|mixed|patched [N [MICROSECONDS]]

   The patched one answers with the first as a rule, and with the last to one hand in sixteen. With N it answers nonsense
   to the first question of one game in N, by the hand. With MICROSECONDS it sleeps so long before each answer. With LEDGER in its environment it writes the hand of every game it meets there, behind its process id and an exclamation mark if its folder was not new to it. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *after(const char *text, const char *mark)
{
	const char *found = strstr(text, mark);
	return found ? found + strlen(mark) : NULL;
}

static unsigned hash(const char *text, size_t length)
{
	unsigned value = 2166136261u;
	while (length--)
		value = (value ^ (unsigned char)*text++) * 16777619u;
	return value;
}

static size_t form(const char *text)
{
	size_t length = 0;
	int depth = 0;
	do {
		depth += (text[length] == '(') - (text[length] == ')');
		length++;
	} while (depth > 0);
	return length;
}

static void answer(const char *line, const char *how)
{
	const char *legal = after(line, "(legal ("), *hand = after(line, "(hand ");
	const char *plays[64];
	size_t lengths[64], count = 0, chosen = 0;
	if (legal == NULL) {
		puts("(pass)");
		return;
	}
	for (const char *at = legal - 1; *at == '(' && count < 64; at += lengths[count++], at += *at == ' ') {
		plays[count] = at;
		lengths[count] = form(at);
	}
	if (strcmp(how, "last") == 0)
		chosen = count - 1;
	if (strcmp(how, "patched") == 0 && hand && hash(hand, strcspn(hand, ")")) % 16 == 0)
		chosen = count - 1;
	if (strcmp(how, "mixed") == 0)
		chosen = hash(line, strlen(line)) % count;
	printf("%.*s\n", (int)lengths[chosen], plays[chosen]);
}

int main(int argc, char **argv)
{
	char *line = NULL;
	size_t size = 0;
	unsigned one_in = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
	unsigned nap = argc > 3 ? (unsigned)atoi(argv[3]) : 0;
	int faulty = 0, stale = access("notes", F_OK) == 0;
	const char *path = getenv("LEDGER");
	FILE *ledger = path ? fopen(path, "a") : NULL;
	FILE *notes = ledger ? fopen("notes", "w") : NULL;
	if (notes)
		fclose(notes);
	while (getline(&line, &size, stdin) > 0) {
		const char *hand = after(line, "(hand ");
		if (strncmp(line, "(update table (start", 20) == 0 && hand) {
			size_t length = strcspn(hand, ")");
			faulty = one_in && hash(hand, length) % one_in == 0;
			if (ledger) {
				fprintf(ledger, "%d%s %.*s\n", (int)getpid(), stale ? "!" : "", (int)length, hand);
				fflush(ledger);
			}
		}
		if (strncmp(line, "(request", 8) != 0 && strncmp(line, "(attacked", 9) != 0)
			continue;
		if (nap)
			usleep(nap);
		if (faulty)
			puts("(nonsense)");
		else
			answer(line, argv[1]);
		fflush(stdout);
	}
	return 0;
}
