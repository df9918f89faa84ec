import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const engineVersion = '3.22.1'

export const realModelFolder = fileURLToPath(new URL('../../.cache/real-model/', import.meta.url))
export const modelFile = join(realModelFolder, 'stories15m-q8_0.gguf')
export const engineModule = join(realModelFolder, 'node_modules/node-llama-cpp/dist/index.js')

const binaryPackages: Readonly<Record<string, string>> = {
  'linux-x64': '@node-llama-cpp/linux-x64',
  'linux-arm64': '@node-llama-cpp/linux-arm64',
  'darwin-x64': '@node-llama-cpp/mac-x64',
  'darwin-arm64': '@node-llama-cpp/mac-arm64-metal',
}

/** The engine package for this platform; undefined when there is none. */
export const binaryPackage = binaryPackages[`${process.platform}-${process.arch}`]

/** Whether `get-real-model.ts` has been run. */
export function hasRealModel(): boolean {
  return existsSync(modelFile) && existsSync(engineModule)
}
