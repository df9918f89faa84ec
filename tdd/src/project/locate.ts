import { realpathSync, statSync } from 'node:fs'
import { absolutePath, below, parentOf } from './paths.ts'

/** The root of a project and the state folder of the tool. All paths have forward slashes. */
export interface Project {
  readonly root: string
  /** Whether the project is set up: it has a configuration or a `.tdd` folder. */
  readonly marked: boolean
}

/** A located file, as the rules use it. */
export interface Place {
  readonly project: Project
  /** The path from the project's root. */
  readonly path: string
  /** The nearest folder with a manifest, from the project's root; '.' is the root itself. */
  readonly package: string
  /** The path from that package. */
  readonly pathInPackage: string
}

export const configFile = 'tdd.config.yaml'
export const stateFolder = '.tdd'

/**
 * Manifests that make a folder a package with its own phase. A C# project file is none: its tests are in a sibling project.
 */
const manifests = [
  'package.json',
  'pyproject.toml',
  'setup.py',
  'go.mod',
  'Cargo.toml',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'composer.json',
  'Gemfile',
  'Package.swift',
  'pubspec.yaml',
  'mix.exs',
]

/**
 * The nearest folder at or above that is a checkout (also a worktree or submodule) or has the tool's configuration or state.
 */
function findProject(from: string): Project | undefined {
  for (let folder = from; ; folder = parentOf(folder)) {
    const marked = exists(folder, stateFolder) || exists(folder, configFile)
    if (marked || exists(folder, '.git')) return { root: folder, marked }
    if (folder === parentOf(folder)) return undefined
  }
}

/** Finds the project a command or a prompt belongs to; without one, the folder itself is the project. */
export function projectAt(cwd: string): Project {
  const folder = realPath(absolutePath(cwd, '/'))
  return findProject(folder) ?? { root: folder, marked: false }
}

/** The package a folder belongs to, from the project's root. */
export function packageAt({ root }: Project, cwd: string): string {
  return packageOf(root, below(root, realPath(absolutePath(cwd, '/'))) ?? '.')
}

/** Locates a file; undefined outside every project. */
export function locate(path: string, cwd: string): Place | undefined {
  const file = realPath(absolutePath(path, cwd))
  const project = findProject(parentOf(file))
  return project === undefined ? undefined : placeIn(project, file)
}

/** The same file as a part of the project around its own; undefined when there is none that is set up. */
export function inOuterProject({ project, path }: Place): Place | undefined {
  const outer = project.root === parentOf(project.root) ? undefined : findProject(parentOf(project.root))
  return outer?.marked === true ? placeIn(outer, `${project.root}/${path}`) : undefined
}

/**
 * The time since when a folder is a project, in milliseconds. Worktrees and submodules have a `.git` file, and are projects
 * from the beginning.
 */
export function projectSinceMs({ root }: Project): number {
  const found = [configFile, stateFolder, '.git'].flatMap((name) => {
    const stat = statSync(`${root}/${name}`, { throwIfNoEntry: false })
    if (stat === undefined) return []
    return name === '.git' && stat.isFile() ? [0] : [stat.birthtimeMs || stat.ctimeMs]
  })
  return Math.min(...found)
}

function placeIn(project: Project, file: string): Place | undefined {
  const inProject = below(project.root, file)
  if (inProject === undefined || inProject === '.') return undefined
  const owner = packageOf(project.root, folderOf(inProject))
  return {
    project,
    path: inProject,
    package: owner,
    pathInPackage: owner === '.' ? inProject : inProject.slice(owner.length + 1),
  }
}

/** The nearest package at or above a folder, both given from the project's root. */
function packageOf(root: string, folder: string): string {
  for (let inside = folder; inside !== '.'; inside = folderOf(inside)) {
    if (manifests.some((name) => exists(`${root}/${inside}`, name))) return inside
  }
  return '.'
}

/** The folder of a path that is relative to the root; '.' for a path without a folder. */
function folderOf(path: string): string {
  const cut = path.lastIndexOf('/')
  return cut < 0 ? '.' : path.slice(0, cut)
}

/** Resolves symbolic links as far as the path exists: for a file about to be created, only its folder exists. */
export function realPath(path: string): string {
  let rest = ''
  for (let known = path; ; known = parentOf(known)) {
    try {
      const real = realpathSync.native(known).replaceAll('\\', '/')
      return rest === '' ? real : `${real === '/' ? '' : real}${rest}`
    } catch {
      const above = parentOf(known)
      if (above === known) return path
      rest = `${known.slice(above === '/' ? 0 : above.length)}${rest}`
    }
  }
}

function exists(folder: string, name: string): boolean {
  return statSync(`${folder === '/' ? '' : folder}/${name}`, { throwIfNoEntry: false }) !== undefined
}
