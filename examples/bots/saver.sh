#!/bin/sh
# Saver: a Sedma player for any shell; it keeps its sevens, aces and tens as long as it has something else to play.
#
#     sh saver.sh
set -f

# Say the best of the plays, which stand in $1 as (play h9) (play h7) ...: the first that is not worth keeping.
choose() {
	rest=$1
	best=
	while [ -n "$rest" ]; do
		play="${rest%%")"*})"
		rest=${rest#"$play"}
		rest=${rest# }
		case $play in
		"(stop)") best=$play && break ;;
		*7")" | *A")" | *T")") best=${best:-$play} ;;
		*) best=$play && break ;;
		esac
	done
	echo "$best"
}

while IFS= read -r line; do
	case $line in
	"(request "*)
		legal=${line##*"(legal "}
		choose "${legal%")))"}"
		;;
	esac
done
