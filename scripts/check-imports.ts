/** Checks every import: app → modules → kernel, and only through the public API of a module. */
import { checkImports } from './import-rules.ts'

const { files, imports, problems } = await checkImports()
for (const problem of problems) console.error(problem)
if (files < 40 || imports < 100) {
  console.error(
    `only ${files} files and ${imports} imports were read: the check is looking in the wrong place`,
  )
  process.exitCode = 1
}
if (problems.length > 0) process.exitCode = 1
console.log(`${files} files, ${imports} imports, ${problems.length} problems`)
