import { expect, test } from 'vitest'
import { createFolder } from '../../test/support/project.ts'
import { chooseLinter } from './linters.ts'

test.each<[string, Readonly<Record<string, string>>]>([
  ['npm run --silent lint', { 'package.json': '{"scripts":{"lint":"eslint ."}}' }],
  ['pnpm run lint', { 'package.json': '{"scripts":{"lint":"eslint ."}}', 'pnpm-lock.yaml': '' }],
  ['npx eslint .', { 'package.json': '{"devDependencies":{"eslint":"9"}}' }],
  ['npx biome check .', { 'package.json': '{}', 'biome.json': '{}' }],
  ['npx oxlint', { 'package.json': '{}', '.oxlintrc.json': '{}' }],
  ['python3 -m ruff check .', { 'pyproject.toml': '[tool.ruff]\nline-length = 100\n' }],
  ['python3 -m ruff check .', { 'ruff.toml': '' }],
  ['python3 -m flake8', { '.flake8': '' }],
  ['golangci-lint run', { 'go.mod': '', '.golangci.yml': '' }],
  ['go vet ./...', { 'go.mod': '' }],
  ['cargo clippy --quiet --all-targets', { 'Cargo.toml': '' }],
  ['vendor/bin/phpstan analyse --no-progress', { 'phpstan.neon': '' }],
  ['bundle exec rubocop', { '.rubocop.yml': '' }],
])('%s is detected by the files of the folder', (command, files) => {
  using project = createFolder(files)
  expect(chooseLinter(project.root, undefined)?.command.replace(/^python /, 'python3 ')).toBe(command)
  expect(chooseLinter(project.root, 'make lint')).toMatchObject({ name: 'configured', command: 'make lint' })
  expect(chooseLinter(project.root, 'off')).toBeUndefined()
})

test('a folder without a linter has none', () => {
  using project = createFolder({ 'package.json': '{"scripts":{"lint":7}}', 'pyproject.toml': '' })
  expect(chooseLinter(project.root, undefined)).toBeUndefined()
})
