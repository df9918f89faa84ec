import type { FileClass } from './file-class.ts'
import { type FileName, fileNameOf, isAmong } from './file-name.ts'
import { classByFramework } from './frameworks.ts'
import { isTest } from './test-files.ts'

/** A user's glob, already a regular expression over the path from the project's root. */
export interface UserRule {
  readonly class: FileClass
  readonly pattern: RegExp
}

export interface Subject {
  /** From the project's root; what the user's globs are matched with. */
  readonly path: string
  readonly package: string
  readonly pathInPackage: string
}

export interface ClassifyOptions {
  readonly rules?: readonly UserRule[]
  readonly framework?: string | undefined
}

/** Classifies a file, in the order documented in `file-class.ts`. */
export function classify(file: Subject, { rules = [], framework }: ClassifyOptions = {}): FileClass {
  const name = fileNameOf(file.pathInPackage)
  if (isGenerated(name)) return 'generated'
  const chosen = rules.find(({ pattern }) => pattern.test(file.path))?.class
  if (chosen !== undefined) return chosen
  const known = framework === undefined ? undefined : classByFramework(framework, name.path)
  if (known !== undefined) return known
  if (isTest(name, file.package)) return 'test'
  return isNeutral(name) ? 'neutral' : 'implementation'
}

/** Folders that tools fill, wherever they are. */
const anywhere =
  ' node_modules bower_components vendor third_party __pycache__ .venv venv .tox .gradle .next .nuxt .svelte-kit .dart_tool .git generated __generated__ '

/** Folders that tools fill at the top of a package; deeper down, `build/` may be source code. */
const atTheTop = ' dist build out target coverage obj _build deps .cache .build '

const generatedEndings = ' map pyc class o so dll exe lock '

/** `api.generated.ts`, `service.pb.go`, `app.min.js`. */
const generatedInners = ' generated gen freezed pb designer Designer min '

const protobufForPython = /_pb2(?:_grpc)?\.pyi?$/

/** Whether a tool writes this file. */
function isGenerated({ folders, name, ending, inner }: FileName): boolean {
  if (isAmong(atTheTop, folders[0] ?? '') || folders.some((folder) => isAmong(anywhere, folder))) return true
  if (
    isAmong(generatedEndings, ending) ||
    isAmong(generatedInners, inner) ||
    name.startsWith('zz_generated.')
  )
    return true
  if (inner === 'g') return ending === 'dart' || ending === 'cs'
  return (ending === 'py' || ending === 'pyi') && protobufForPython.test(name)
}

const data =
  'json jsonc json5 jsonl yaml yml toml ini cfg conf properties env csv tsv xml xsd plist po pot resx avsc parquet'
const documents =
  'md mdx markdown rst adoc txt pdf doc docx tex drawio puml mmd log out tmp bak orig rej diff patch 1'
const media = 'svg png jpg jpeg gif webp avif ico bmp mp3 mp4 wav ogg webm woff woff2 ttf otf eot zip gz wasm'
const projects =
  'gradle csproj fsproj vbproj sln props targets cabal gemspec podspec nix tf tfvars bazel bzl cmake mk'
const neutralEndings = ` ${data} ${documents} ${media} ${projects} `

/** Files known by their whole name. */
const names =
  ' LICENSE LICENCE COPYING NOTICE AUTHORS CODEOWNERS README CHANGELOG Makefile GNUmakefile Dockerfile Containerfile Jenkinsfile Vagrantfile Procfile Brewfile Gemfile Rakefile Podfile Fastfile Justfile justfile BUILD WORKSPACE go.mod go.sum go.work setup.py noxfile.py Package.swift mix.exs '

/** The scripts that git runs, which have no ending; their folder is what `core.hooksPath` says. */
const gitHooks =
  ' applypatch-msg commit-msg post-checkout post-commit post-merge post-rewrite pre-commit pre-merge-commit pre-push pre-rebase prepare-commit-msg '

/** Settings, stories and declarations written as code: `vite.config.ts`, `jest.setup.js`, `Button.stories.tsx`, `api.d.ts`. */
const neutralInners = ' config setup stories d gradle '

/** Whether a file neither tests nor implements anything. */
function isNeutral({ folders, name, ending, inner }: FileName): boolean {
  if (
    isAmong(neutralEndings, ending) ||
    isAmong(neutralInners, inner) ||
    isAmong(names, name) ||
    isAmong(gitHooks, name)
  )
    return true
  // A name that starts with a dot is a setting, whatever language it is written in; so is everything in such a folder:
  // `.opencode/plugins/x.js`, `.husky/pre-commit`, `.storybook/preview.ts`.
  return (
    name.startsWith('.') ||
    name.startsWith('Dockerfile.') ||
    folders.some((folder) => folder.length > 1 && folder.startsWith('.') && folder !== '..')
  )
}
