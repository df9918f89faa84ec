import { bad, type Finding, good } from './finding.ts'

const oldest = 24

/** The platform runs its TypeScript as it is, which needs a recent Node.js. */
export function checkNode(version = process.versions.node): Finding {
  const major = Number(version.split('.')[0])
  if (major >= oldest) return good(`Node.js ${version}`)
  return bad(
    `Node.js ${version} is too old`,
    'Run `npm ci` and start through `npm start` or `npx tutti`: they bring their own.',
  )
}
