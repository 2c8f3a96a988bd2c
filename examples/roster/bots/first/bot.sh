#!/bin/sh
# Plays the first play that is listed.

while IFS= read -r line; do
	case $line in
	"(request "*)
		legal=${line##*"(legal ("}
		echo "(${legal%%")"*})"
		;;
	esac
done
