/** Paths as text, with forward slashes on every system. */

/** Makes a path of an assistant absolute, with forward slashes; relative paths start at `cwd`. */
export function absolutePath(path: string, cwd: string): string {
  const spelled = path.replaceAll('\\', '/')
  const base = cwd.replaceAll('\\', '/')
  if (hasDrive(spelled)) return tidy(throughMount(spelled, base))
  return tidy(spelled.startsWith('/') ? spelled : `${base}/${spelled}`)
}

/** The path below `folder`, '.' for the folder itself, undefined for a path outside it. */
export function below(folder: string, path: string): string | undefined {
  // File names on Windows are case-insensitive.
  const [inside, whole] = hasDrive(folder) ? [folder.toLowerCase(), path.toLowerCase()] : [folder, path]
  if (whole === inside) return '.'
  const prefix = inside.endsWith('/') ? inside : `${inside}/`
  return whole.startsWith(prefix) ? path.slice(prefix.length) : undefined
}

/** The parent folder of `path`; the root is its own parent. */
export function parentOf(path: string): string {
  const cut = path.lastIndexOf('/')
  if (cut < 0) return path
  if (cut === 0) return '/'
  return cut === 2 && hasDrive(path) ? path.slice(0, 3) : path.slice(0, cut)
}

/** Whether a path begins with a drive: `C:` or `C:/…`. */
function hasDrive(path: string): boolean {
  const letter = path.charCodeAt(0) | 32
  return (
    path.charAt(1) === ':' && letter >= 97 && letter <= 122 && (path.length === 2 || path.charAt(2) === '/')
  )
}

/** Translates `C:\…` of an assistant on Windows for a hook that runs under Linux, where that drive is mounted. */
function throughMount(path: string, cwd: string): string {
  const mounted = cwd.startsWith('/mnt/') && (cwd.length === 6 || cwd.charAt(6) === '/')
  return mounted ? `/mnt/${path.charAt(0).toLowerCase()}${path.slice(2)}` : path
}

/**
 * Normalises a path: resolves empty parts, `.` and `..`; keeps the drive, in upper case, and the double slash of a network
 * share.
 */
function tidy(path: string): string {
  const start = hasDrive(path) ? `${path.charAt(0).toUpperCase()}:` : path.startsWith('//') ? '/' : ''
  const kept: string[] = []
  for (const segment of path.slice(start.length).split('/')) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  return `${start}/${kept.join('/')}`
}
