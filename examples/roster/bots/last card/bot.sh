#!/bin/sh
# Plays the last play that is listed.

while IFS= read -r line; do
	case $line in
	"(request "*)
		legal=${line##*"("}
		echo "(${legal%%")"*})"
		;;
	esac
done
