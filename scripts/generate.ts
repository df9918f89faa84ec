/**
 * `npm run generate` writes the files that are generated from the code: the API types of console and client, the flow schema of the editor,
 * and the reference pages. With `--check` it writes nothing and fails when a file is outdated.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { settingsByPart } from '../src/app/settings.ts'
import { describePlatform } from './describe-platform.ts'
import { generateClientTypes } from './generate-client.ts'
import { generateFlowSchema } from './generate-flow-schema.ts'
import { generateOperations, generatePythonOperations } from './generate-operations.ts'
import { writeConfigurationPage } from './write-configuration-page.ts'
import { writeRoutesPage } from './write-routes-page.ts'

const checkOnly = process.argv.includes('--check')
const document = await describePlatform()
const files: Readonly<Record<string, string>> = {
  'console/src/api/schema.generated.ts': await generateClientTypes(document),
  'console/src/pages/flow-editor/form/flow-schema.generated.json': generateFlowSchema(document),
  'docs/reference/configuration.md': writeConfigurationPage(settingsByPart),
  'docs/reference/routes.md': writeRoutesPage(document),
  'sdk/python/src/tutti/_operations.py': generatePythonOperations(document),
  'sdk/typescript/src/operations.generated.ts': generateOperations(document),
}

for (const [path, text] of Object.entries(files)) {
  const present = await readFile(path, 'utf8').catch(() => '')
  if (present === text) continue
  if (checkOnly) {
    console.error(`${path} is not what the code says; run: npm run generate`)
    process.exitCode = 1
  } else {
    await writeFile(path, text)
    console.log(`wrote ${path}`)
  }
}
