/** Lets the browser save what an address returns. The name of the file is that of the response, unless one is given. */
export function saveFile(address: string, name = ''): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
