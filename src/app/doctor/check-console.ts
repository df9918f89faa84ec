import { openConsole } from '../console.ts'
import { bad, type Finding, good } from './finding.ts'

export function checkConsole(): Finding {
  try {
    openConsole()
    return good('The console is built')
  } catch {
    return bad('The console is not built', 'Run `npm run prepare`.')
  }
}
