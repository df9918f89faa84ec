/** Ways to keep a test from running, or all the others, in the languages we know. */
const marker =
  /\b(?:describe|context|suite|it|test|specify|fixture)(?:\.(?:concurrent|sequential))?\.(?:skip|only|todo|fixme)\b|\b(?:xit|xdescribe|xtest|xcontext|fit|fdescribe)\s*\(|@(?:pytest\.mark\.(?:skip|skipif|xfail)|unittest\.skip\w*|Disabled|Ignore|IgnoreTest)\b|\bpytest\.skip\s*\(|\bt\.Skip(?:f|Now)?\s*\(|#\[ignore\b|\bmarkTest(?:Skipped|Incomplete)\s*\(|\[(?:Ignore|Skip)\b|\bSkip\s*=\s*"|\bXCTSkip\b|\bDISABLED_|@tag\s+:skip\b|\bskip:\s*true\b|\bpending\s*\(/

/** The skip markers that a diff adds, by file. Reads `git diff -U0`. */
export function addedSkips(diff: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  let file: string | undefined
  for (const line of diff.split('\n')) {
    if (line.startsWith('+++ ')) file = line === '+++ /dev/null' ? undefined : line.slice(6)
    else if (file !== undefined && line.startsWith('+') && marker.test(line))
      found.set(file, [...(found.get(file) ?? []), line.slice(1).trim()])
  }
  return found
}
