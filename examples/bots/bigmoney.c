/* Big money: a Dominion bot in C that buys treasures and provinces, and no action at all.

       cc -O2 -Wall -o bigmoney bigmoney.c

   It reads one message a line and speaks both dialects: (request STATE) is called (move STATE) in the classic one. */

#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *wanted[][2] = {{"province", "8"}, {"gold", "6"}, {"silver", "3"}};
static const char *treasures[] = {"gold", "silver", "copper"};
static const char *useless_first[] = {"province", "duchy", "estate", "copper", "silver", "gold", NULL};

/* Return what stands behind a key of STATE, up to its closing parenthesis; an empty text without that key. */
static const char *field(const char *line, const char *key)
{
	char opening[32];
	snprintf(opening, sizeof opening, "(%s ", key);
	const char *found = strstr(line, opening);
	return found ? found + strlen(opening) : "";
}

static int number(const char *line, const char *key)
{
	return atoi(field(line, key));
}

/* Count a card among the words of a field. */
static int count(const char *cards, const char *card)
{
	int found = 0;
	while (*cards && *cards != ')') {
		size_t length = strcspn(cards, " )");
		found += length == strlen(card) && strncmp(cards, card, length) == 0;
		cards += length;
		cards += *cards == ' ';
	}
	return found;
}

/* A pile is (province 8) here, and a province a card in the classic dialect: there, none is left where none is named. */
static int can_buy(const char *line, const char *card)
{
	const char *supply = field(line, "supply");
	if (*supply != '(')
		return count(supply, card) > 0;
	return number(supply, card) > 0;
}

/* Keep three cards: first goes what is of no use, and the first of the hand after that. */
static void defend(const char *hand)
{
	int held = 0, gone;
	for (const char *card = hand; *card && *card != ')'; card += *card == ' ') {
		card += strcspn(card, " )");
		held++;
	}
	printf("(discard");
	for (const char **card = useless_first; *card && held > 3; card++)
		for (gone = count(hand, *card); gone > 0 && held > 3; gone--, held--)
			printf(" %s", *card);
	puts(")");
}

static void play(const char *line)
{
	const char *hand = field(line, "hand");
	int buys = number(line, "buys"), coins = number(line, "coins");
	for (size_t i = 0; i < 3 && buys > 0; i++)
		if (count(hand, treasures[i])) {
			printf("(add %s)\n", treasures[i]);
			return;
		}
	for (size_t i = 0; i < 3 && buys > 0; i++)
		if (coins >= atoi(wanted[i][1]) && can_buy(line, wanted[i][0])) {
			printf("(buy %s)\n", wanted[i][0]);
			return;
		}
	if (strstr(line, "(hand)"))
		puts("(clean)");
	else
		printf("(clean %.*s)\n", (int)strcspn(hand, " )"), hand);
}

int main(void)
{
	char *line = NULL;
	size_t size = 0;
	while (getline(&line, &size, stdin) > 0) {
		if (strncmp(line, "(attacked ", 10) == 0)
			defend(field(line, "hand"));
		else if (strncmp(line, "(request ", 9) == 0 || strncmp(line, "(move ", 6) == 0)
			play(line);
		fflush(stdout);
	}
	free(line);
	return 0;
}
