#!/usr/bin/env node
// npm links this file while it installs, which is before the tool is built; so it is in the repository, and loads the build.
const { existsSync } = require('node:fs')

const tool = `${__dirname}/../dist/tutti-tdd.cjs`

if (require.main !== module || existsSync(tool)) {
  module.exports = require(tool)
  if (require.main === module) module.exports.run(process.argv.slice(2))
} else {
  process.stderr.write('tutti-tdd is not built here; run: npm run build --workspace tdd\n')
  const [command, option, agent] = process.argv.slice(2)
  // A hook that cannot evaluate lets the call go on, in the words of the assistant that asked.
  if (command !== 'hook') process.exitCode = 1
  else if (option !== '--agent') process.stdout.write('{"continue":true}\n')
  else if (agent === 'cursor') process.stdout.write('{"permission":"allow"}\n')
}
