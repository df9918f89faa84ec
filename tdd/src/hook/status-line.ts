import { statSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import type { Phase } from '../state/state.ts'

export const partSeparator = ' | '

/** The status line that is added to each prompt. Coverage older than the last change is unknown. */
export function statusLine(
  phase: Phase,
  coveragePercent: number | undefined,
  trackedFiles: number,
  type: string,
): string {
  const coverage = coveragePercent === undefined ? 'unknown' : String(Math.floor(coveragePercent * 10) / 10)
  return [
    `[TDD Status] Phase: ${phase}, Coverage: ${coverage}%`,
    `[Project Context] ${trackedFiles} files tracked, Type: ${type}`,
  ].join(partSeparator)
}

const typeByManifest: readonly (readonly [string, string])[] = [
  ['package.json', 'node'],
  ['pyproject.toml', 'python'],
  ['setup.py', 'python'],
  ['requirements.txt', 'python'],
  ['go.mod', 'go'],
  ['Cargo.toml', 'rust'],
  ['pom.xml', 'java'],
  ['build.gradle', 'java'],
  ['build.gradle.kts', 'kotlin'],
  ['composer.json', 'php'],
  ['Gemfile', 'ruby'],
  ['Package.swift', 'swift'],
  ['pubspec.yaml', 'dart'],
  ['mix.exs', 'elixir'],
  ['CMakeLists.txt', 'cpp'],
]

/** The type of the project: as configured, else by its language, else by the manifest at its root. */
export function projectType(root: string, { project }: Config): string {
  const found = typeByManifest.find(
    ([name]) => statSync(`${root}/${name}`, { throwIfNoEntry: false }) !== undefined,
  )
  return project.type ?? project.language ?? found?.[1] ?? 'unknown'
}
