import { type Home, makeHome, type Ready, ServiceProcess } from '../../prove/service-process.ts'

/** The service with a demo of ten vehicles that is linked already, as a program of its own. */
export class DemoService implements AsyncDisposable {
  private constructor(
    private readonly home: Home,
    private readonly service: ServiceProcess,
  ) {}

  static async start(environment: Readonly<Record<string, string>> = {}): Promise<DemoService> {
    const home = await makeHome('sqlite')
    return new DemoService(home, await ServiceProcess.start(home, ['--fleet-size', '10'], environment))
  }

  /** Where it is, with the keys and tokens of the demo. */
  get demo(): Ready & { readonly publicToken: string; readonly publishableKey: string } {
    return this.service.ready as DemoService['demo']
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.service.end('SIGKILL')
    await this.home.remove()
  }
}
