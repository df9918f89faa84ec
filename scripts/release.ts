/**
 * `npm run release -- [--dry-run] [--version X.Y.Z]`: makes what a release publishes in `dist/release`. Without `--dry-run` it also
 * commits the version and tags it. It publishes nothing: it prints the commands that do.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { makeArtefacts } from './release/make-artefacts.ts'
import { planRelease, type ReleasePlan, readHead, runGit } from './release/plan-release.ts'
import { ReleaseError } from './release/release-error.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = join(root, 'dist/release')

/** Commits the files that the version changes, and tags the commit. */
async function commitRelease(plan: ReleasePlan): Promise<ReleasePlan> {
  for (const [path, text] of plan.changes) await writeFile(join(root, path), text)
  if (plan.changes.size > 0)
    await runGit(root, 'commit', '--all', '--message', `chore(release): ${plan.version}`)
  await runGit(root, 'tag', '--annotate', plan.tag, '--message', `Tutti ${plan.version}`)
  return { ...plan, ...(await readHead(root)) }
}

function publishCommands({ version, tag }: ReleasePlan): readonly string[] {
  return [
    `git push --follow-tags origin HEAD ${tag}`,
    'for archive in npm/*.tgz; do npm publish --access public "$archive"; done',
    'python3 -m twine upload python/*',
    `for image in image/*.oci.tar; do skopeo copy "oci-archive:$image" "docker://REGISTRY/$(basename "$image" .oci.tar | sed 's/-${version}-/:${version}-/')"; done`,
    `helm push chart/tutti-${version}.tgz oci://REGISTRY/charts`,
  ]
}

async function release(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'dry-run': { type: 'boolean', default: false },
      version: { type: 'string' },
      'skip-image': { type: 'boolean', default: false },
      'skip-chart': { type: 'boolean', default: false },
      'image-base': { type: 'string' },
      'image-builder': { type: 'string' },
    },
  })
  const dryRun = values['dry-run']
  const planned = await planRelease(root, { version: values.version, dryRun })
  const plan = dryRun ? planned : await commitRelease(planned)
  console.log(`Tutti ${plan.version} from ${plan.revision.slice(0, 12)}${dryRun ? ', dry run' : ''}`)
  await makeArtefacts(root, folder, plan, {
    log: (line) => console.log(line),
    chart: !values['skip-chart'],
    image: values['skip-image'] ? false : { base: values['image-base'], builder: values['image-builder'] },
  })
  if (dryRun) console.log('Nothing was committed, tagged or published.')
  else console.log(['', 'To publish, in dist/release:', ...publishCommands(plan)].join('\n  '))
}

try {
  await release()
} catch (error) {
  const isUsage =
    error instanceof ReleaseError || (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')
  if (isUsage !== true) throw error
  console.error(`release: ${(error as Error).message}`)
  process.exitCode = 1
}
