from tests.arena.watching.display.pictures import FOLDER, pictures

for name, text in pictures():
    (FOLDER / f"{name}.txt").write_text(text + "\n", "utf-8")
