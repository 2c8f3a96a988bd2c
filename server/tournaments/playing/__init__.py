"""Playing: rounds of batches, handed out to workers here and on other machines."""
