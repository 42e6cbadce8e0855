// Facts, as JSON that was compressed and written in Base64.

async function unpack(text) {
  const packed = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}
