import { type Home, makeHome, type Ready, ServiceProcess } from '../../prove/support/service-process.ts'

/** The service as a separate process, with a linked demo of ten vehicles. */
export class DemoService implements AsyncDisposable {
  private constructor(
    private readonly home: Home,
    private readonly service: ServiceProcess,
  ) {}

  static async start(environment: Readonly<Record<string, string>> = {}): Promise<DemoService> {
    const home = await makeHome('sqlite')
    return new DemoService(home, await ServiceProcess.start(home, ['--fleet-size', '10'], environment))
  }

  /** URL of the service, with the keys and tokens of the demo. */
  get demo(): Ready & { readonly publicToken: string; readonly publishableKey: string } {
    return this.service.ready as DemoService['demo']
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.service.end('SIGKILL')
    await this.home.remove()
  }
}
