"""Commands that help: the sandbox of this machine, documents, completion, proof that a record is true."""
