import type { FileClass } from './file-class.ts'

/** The classes that an application framework adds to the rules. */
const frameworks: Readonly<Record<string, readonly (readonly [FileClass, RegExp])[]>> = {
  django: [['generated', /(?:^|\/)migrations\/\d{4}_[^/]+\.py$/]],
  rails: [['generated', /(?:^|\/)db\/(?:schema\.rb|structure\.sql)$/]],
  laravel: [
    ['generated', /^bootstrap\/cache\//],
    ['neutral', /^(?:config|lang)\/.+\.php$/],
  ],
  symfony: [['neutral', /^config\/.+\.php$/]],
  drupal: [['neutral', /(?:^|\/)sites\/[^/]+\/settings[^/]*\.php$/]],
  next: [['generated', /(?:^|\/)next-env\.d\.ts$/]],
  angular: [['neutral', /(?:^|\/)environments\/environment[^/]*\.ts$/]],
  flutter: [['generated', /^(?:android|ios|macos|linux|windows|web)\/(?!.*(?:MainActivity|AppDelegate))/]],
}

/** Whether the tool has rules for a framework of this name. */
export function isKnownFramework(name: string): boolean {
  return Object.hasOwn(frameworks, simpleName(name))
}

/** The class a framework gives a file, if any. */
export function classByFramework(framework: string, path: string): FileClass | undefined {
  const rules = isKnownFramework(framework) ? (frameworks[simpleName(framework)] ?? []) : []
  return rules.find(([, pattern]) => pattern.test(path))?.[0]
}

/** Normalises a name: `Next.js`, `nextjs` and `next` are one framework. */
function simpleName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[.\s-]?js$/, '')
    .replace(/^ruby on /, '')
}
