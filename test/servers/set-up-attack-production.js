// One file for each project: Jest runs a set-up file once, with the first project that names it.
export { default } from './acquire-for-project.js';
