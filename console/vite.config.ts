import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { UserConfig } from 'vite'

/** Where `vite` (the development server) finds a running platform. */
const platform = process.env['TUTTI_URL'] ?? 'http://localhost:3000'

const config: UserConfig = {
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/',
  plugins: [react()],
  // The platform puts a fresh nonce here with every answer.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // A data: URL would be refused for scripts and styles, and is never smaller than a cached file for the rest.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
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
