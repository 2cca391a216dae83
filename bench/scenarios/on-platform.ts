import type { CaretakerProcess } from '../processes/caretaker-process.js';
import type { Platform } from '../processes/platform.js';
import type { ProductBuild } from '../processes/product-process.js';
import type { BenchContext } from './scenario.js';

/** Starts the product, uses it and ends it. When the use fails, tells what the product said last. */
export async function onPlatform<P extends Platform>(
  { build, caretaker, say }: BenchContext,
  start: (build: ProductBuild, caretaker: CaretakerProcess) => Promise<P>,
  use: (platform: P) => Promise<void>,
): Promise<void> {
  const platform = await start(build, caretaker);
  try {
    await use(platform);
  } catch (error) {
    say(`The product's last words:\n${await platform.lastWords()}`);
    throw error;
  } finally {
    await platform.end();
  }
}
