/** `npm run build`: writes the publishable packages and their archives into `dist`. */
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildPackages, packPackage } from './build/build-packages.ts'

const folder = fileURLToPath(new URL('../dist/', import.meta.url))
const log = (line: string) => console.log(line)
const { tutti, tdd, client } = await buildPackages(folder, { log })
for (const packageFolder of [tutti, tdd, client]) {
  const archive = await packPackage(packageFolder, folder)
  log(`${archive.slice(folder.length)}  ${(statSync(archive).size / 1024 ** 2).toFixed(1)} MB`)
}
