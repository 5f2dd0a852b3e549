import type { ServeProcess } from '../harness/spawn-serve.ts';
import { adminAt, type Admin } from './admin.ts';

/** Returns the admin client of `serve --json`. Resolves when the service is ready. */
export async function adminOf(serve: ServeProcess): Promise<Admin> {
  await serve.ready;
  const { admin_port } = JSON.parse(serve.stdout()) as { admin_port: number };
  return adminAt(admin_port);
}
