# Everything is in build.sh; `make` alone lists the targets.
.PHONY: help deps compile image release run check test golden conformance bench fuzz format clean
help deps compile image release run check test golden conformance bench fuzz format clean:
	@./build.sh $@
