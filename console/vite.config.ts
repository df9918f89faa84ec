import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { Plugin, UserConfig } from 'vite'

/** Where `vite` (the development server) finds a running platform. */
const platform = process.env['TUTTI_URL'] ?? 'http://localhost:3000'

/** Makes every `import()` of the build download its files first: `importAfterDownload` says why. */
function importAfterDownload(): Plugin {
  const module = fileURLToPath(new URL('./src/shell/loading/import-after-download.ts', import.meta.url))
  const declaration = 'export const __vitePreload ='
  let isChanged = false
  return {
    name: 'import-after-download',
    apply: 'build',
    transform(code, id) {
      if (id !== '\0vite/preload-helper.js' || !code.includes(declaration)) return undefined
      isChanged = true
      return [
        `import { importAfterDownload } from ${JSON.stringify(module)}`,
        code.replace(declaration, 'const preload ='),
        `export const __vitePreload = (importer, files, from) =>
          importAfterDownload(files ?? [], () => preload(importer, files, from))`,
      ].join('\n')
    },
    buildEnd(error) {
      if (error === undefined && !isChanged)
        this.error('Vite has another preload helper: adapt importAfterDownload in vite.config.ts to it.')
    },
  }
}

const config: UserConfig = {
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/',
  plugins: [react(), importAfterDownload()],
  // The platform puts a fresh nonce here with every answer.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // A data: URL would be refused for scripts and styles, and is never smaller than a cached file for the rest.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Vite lists no files for a chunk that is one file, and that file has to be downloaded first, too.
      resolveDependencies: (file, files, { hostType }) =>
        hostType === 'js' && files.length === 0 ? [file] : files,
    },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
        codeSplitting: {
          // What the first page needs comes in two files: React, which rarely changes, and everything else.
          groups: [
            {
              name: 'react',
              test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/,
              tags: ['$initial'],
              priority: 2,
            },
            { name: 'base', tags: ['$initial'], priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      [
        '/api',
        '/ai-workflows',
        '/ai-orchestra',
        '/admin',
        '/v1',
        '/user',
        '/session',
        '/docs',
        '/openapi',
      ].map((path) => [path, { target: platform }]),
    ),
  },
}

export default config
