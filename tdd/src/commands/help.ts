/** What `tutti-tdd help` prints. */
export const helpText = `tutti-tdd keeps a coding assistant test-first.

  tutti-tdd init [--agent NAME…] [--no-pre-commit]
                              set up this project; assistants: claude-code, codex, gemini,
                              cursor, copilot, windsurf, opencode, kiro
  tutti-tdd doctor            prove that the hook fires, and say what is wrong
  tutti-tdd uninstall [--keep-state]
                              take everything out again

  tutti-tdd start             begin a session: the rules hold
  tutti-tdd off               suspend the rules: every edit and commit passes
  tutti-tdd on                enforce them again
  tutti-tdd stop              end the session; no phase is in force
  tutti-tdd red [feature]     only tests may change
  tutti-tdd green [feature]   make the failing test pass; in strict, refused until one was seen failing
  tutti-tdd refactor [feature]
                              improve the code, keep every test passing
  tutti-tdd run [-- ARG…]     run the tests and keep what they prove
  tutti-tdd run --report FILE read a report of a run that already happened

  tutti-tdd status [--json] [--team]
                              phase, coverage, quality, compliance, evidence
  tutti-tdd validate [--strict] [--pre-commit] [--json]
                              what is against the workflow; --strict ends with 1 on a violation;
                              in REFACTOR it runs the linter too

  tutti-tdd hook [JSON]       what the assistants call; hook --agent NAME reads standard input

Each command takes --package FOLDER, for a package other than the one you are in.`
