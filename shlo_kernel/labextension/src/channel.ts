/** What of a comm and of a kernel is needed here. */
interface Comm {
  readonly isDisposed: boolean;
  open(): unknown;
  send(data: unknown): unknown;
  onMsg: (message: { content: { data: unknown } }) => void;
  onClose: () => void;
}
export interface Kernel {
  readonly name: string;
  readonly status: string;
  readonly connectionStatus: string;
  readonly info: Promise<{ language_info: { name: string } }>;
  createComm(target: string): Comm;
  requestDebug(content: { type: 'request'; seq: number; command: string; arguments: object }): { done: Promise<unknown> };
}

const SECONDS = 30;

/** An answer of a kernel, or what it tells unasked, which has no number. */
export interface Answer {
  readonly number?: number;
  readonly error?: string;
}

/** Channels to kernels, one for each: questions to a target of theirs, and answers by their number. */
export class Channels<A extends Answer> {
  private readonly channels = new WeakMap<Kernel, Channel<A>>();

  /** `told` is called with what a kernel tells unasked. */
  constructor(
    private readonly target: string,
    private readonly told: (kernel: Kernel) => void = () => undefined
  ) {}

  /** The answer to a question; undefined where the kernel cannot be asked. */
  ask(kernel: Kernel, question: object): Promise<A> | undefined {
    const isGone = kernel.connectionStatus === 'disconnected' || ['dead', 'terminating'].includes(kernel.status);
    if (isGone) return undefined;
    let channel = this.channels.get(kernel);
    if (!channel || channel.isClosed) {
      channel = new Channel<A>(kernel.createComm(this.target), () => this.told(kernel));
      this.channels.set(kernel, channel);
    }
    return channel.ask(question);
  }
}

class Channel<A extends Answer> {
  private readonly waiting = new Map<number, { resolve: (answer: A) => void; reject: (error: Error) => void }>();
  private asked = 0;
  private isEnded = false;

  constructor(
    private readonly comm: Comm,
    private readonly told: () => void
  ) {
    comm.onMsg = ({ content }) => this.receive(content.data as A);
    comm.onClose = () => this.end();
    comm.open();
  }

  /** Whether the kernel has ended it, or was started again. */
  get isClosed(): boolean {
    return this.isEnded || this.comm.isDisposed;
  }

  ask(question: object): Promise<A> {
    const number = ++this.asked;
    return new Promise((resolve, reject) => {
      this.waiting.set(number, { resolve, reject });
      setTimeout(() => this.refuse(number, 'the kernel is busy, or has no answers'), SECONDS * 1000);
      this.comm.send({ ...question, number });
    });
  }

  private receive(answer: A): void {
    if (answer.number === undefined) {
      this.told();
      return;
    }
    if (answer.error !== undefined) {
      this.refuse(answer.number, answer.error);
      return;
    }
    this.waiting.get(answer.number)?.resolve(answer);
    this.waiting.delete(answer.number);
  }

  private refuse(number: number, error: string): void {
    this.waiting.get(number)?.reject(new Error(error));
    this.waiting.delete(number);
  }

  private end(): void {
    this.isEnded = true;
    for (const number of [...this.waiting.keys()]) this.refuse(number, 'the kernel answers no questions');
  }
}
