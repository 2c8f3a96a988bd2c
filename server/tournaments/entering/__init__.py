"""Who plays, under which key and schedule, and what of that is fixed."""
