/** `npm run build:docs -- [--into FOLDER]`: builds the documentation site of this version, beside those of other versions. */
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { version } from '../src/app/version.ts'
import { describePlatform } from './describe-platform.ts'
import { publishSite } from './docs-site/versions.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const { values } = parseArgs({ options: { into: { type: 'string', default: `${root}dist/docs` } } })
const folder = resolve(values.into)
const document = await describePlatform()
const { pages, searchEntries } = await publishSite(root, folder, { version, document })
console.log(`${folder}/${version}: ${pages} pages, ${searchEntries} search entries`)
