// The result page: a picture to share, and printing.

async function toPicture(address) {
  const drawn = await (await fetch(address)).blob();
  const image = new Image();
  image.src = URL.createObjectURL(drawn);
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth * 2;
  canvas.height = image.naturalHeight * 2;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

document.addEventListener("click", async (event) => {
  if (event.target.closest("[data-print]")) window.print();
  const link = event.target.closest("a[data-picture]");
  if (!link) return;
  event.preventDefault();
  const picture = new File([await toPicture(link.href)], "dungeon.png", { type: "image/png" });
  if (navigator.canShare?.({ files: [picture] })) {
    await navigator.share({ files: [picture] }).catch(() => {});
    return;
  }
  const save = document.createElement("a");
  save.href = URL.createObjectURL(picture);
  save.download = picture.name;
  save.click();
});

function showPrint() {
  for (const button of document.querySelectorAll("[data-print]")) button.hidden = false;
}
document.addEventListener("swapped", showPrint);
showPrint();
