"""The merge driver by its former name: the settings of a hub outlive the version that wrote them."""

from mha_course.engine.progress.merge_driver import main

if __name__ == "__main__":
    main()
