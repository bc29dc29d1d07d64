import type { Reporter, TestCase } from 'vitest/node'

/** Prints the tests that passed only on a retry. Each of them has a defect. */
export class FlakyReporter implements Reporter {
  private readonly flaky: string[] = []

  onTestCaseResult(test: TestCase): void {
    if (!test.diagnostic()?.flaky) return
    const [error] = test.result().errors ?? []
    this.flaky.push(
      `flaky: ${test.module.relativeModuleId} > ${test.fullName}: ${error?.message.split('\n')[0] ?? ''}`,
    )
  }

  onTestRunEnd(): void {
    process.stdout.write(`\n${(this.flaky.length > 0 ? this.flaky : ['flaky: none']).join('\n')}\n`)
  }
}
