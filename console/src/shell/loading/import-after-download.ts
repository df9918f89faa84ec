/** Imports a chunk once the files that it needs, given by their paths, are downloaded. */
type ImportAfterDownload = <Module>(
  files: readonly string[],
  importer: () => Promise<Module>,
) => Promise<Module>

/**
 * Downloads the files of a chunk into the browser's cache before the browser imports them. Chromium 153 keeps a module that
 * could not be fetched as failed for the life of the document, also one that another module imports or a `modulepreload` names;
 * under a second address, a shared module would have its state twice. A failed download can be repeated.
 */
export function createImportAfterDownload(
  request: (file: string) => Promise<Pick<Response, 'ok' | 'arrayBuffer'>>,
): ImportAfterDownload {
  const downloads = new Map<string, Promise<void>>()

  async function download(file: string): Promise<void> {
    const response = await request(file)
    if (!response.ok) throw new Error(`${file} could not be loaded`)
    // The cache keeps a file once its body is read.
    await response.arrayBuffer()
  }

  async function downloadOnce(file: string): Promise<void> {
    const started = downloads.get(file) ?? download(file)
    downloads.set(file, started)
    try {
      await started
    } catch (error) {
      if (downloads.get(file) === started) downloads.delete(file)
      throw error
    }
  }

  return async (files, importer) => {
    await Promise.all(files.map(downloadOnce))
    return await importer()
  }
}

/** The build calls it for every `import()` of the console: see vite.config.ts. */
export const importAfterDownload = createImportAfterDownload((file) => fetch(`/${file}`))
