import { type FileName, isAmong } from './file-name.ts'

const data =
  'json jsonc json5 jsonl yaml yml toml ini cfg conf properties env csv tsv xml xsd plist po pot resx avsc parquet'
const documents =
  'md mdx markdown rst adoc txt pdf doc docx tex drawio puml mmd log out tmp bak orig rej diff patch 1'
const media = 'svg png jpg jpeg gif webp avif ico bmp mp3 mp4 wav ogg webm woff woff2 ttf otf eot zip gz wasm'
const projects =
  'gradle csproj fsproj vbproj sln props targets cabal gemspec podspec nix tf tfvars bazel bzl cmake mk'
const endings = ` ${data} ${documents} ${media} ${projects} `

/** Files known by their whole name. */
const names =
  ' LICENSE LICENCE COPYING NOTICE AUTHORS CODEOWNERS README CHANGELOG Makefile GNUmakefile Dockerfile Containerfile Jenkinsfile Vagrantfile Procfile Brewfile Gemfile Rakefile Podfile Fastfile Justfile justfile BUILD WORKSPACE go.mod go.sum go.work setup.py noxfile.py Package.swift mix.exs '

/** The scripts that git runs, which have no ending; their folder is what `core.hooksPath` says. */
const gitHooks =
  ' applypatch-msg commit-msg post-checkout post-commit post-merge post-rewrite pre-commit pre-merge-commit pre-push pre-rebase prepare-commit-msg '

/** Settings, stories and declarations written as code: `vite.config.ts`, `jest.setup.js`, `Button.stories.tsx`, `api.d.ts`. */
const inners = ' config setup stories d gradle '

/** Whether a file neither tests nor implements anything. */
export function isNeutral({ folders, name, ending, inner }: FileName): boolean {
  if (isAmong(endings, ending) || isAmong(inners, inner) || isAmong(names, name) || isAmong(gitHooks, name))
    return true
  // A name that starts with a dot is a setting, whatever language it is written in; so is everything in such a folder:
  // `.opencode/plugins/x.js`, `.husky/pre-commit`, `.storybook/preview.ts`.
  return (
    name.startsWith('.') ||
    name.startsWith('Dockerfile.') ||
    folders.some((folder) => folder.length > 1 && folder.startsWith('.') && folder !== '..')
  )
}
