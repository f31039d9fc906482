# Everything is in build.sh; `make` alone lists the targets.
.PHONY: help deps compile image release run check test golden conformance bench fuzz clean
help deps compile image release run check test golden conformance bench fuzz clean:
	@./build.sh $@
