import jest from '../../jest.config.js';

const [unit] = jest.projects;

/**
 * The unit specs, except one that starts a built program. A package imports the others from the original folder, where the code
 * is unchanged. So only the specs of the changed package can fail.
 */
export default {
  ...unit,
  rootDir: '../..',
  // The folder of a run has no built files.
  testEnvironment: 'node',
  testPathIgnorePatterns: [...unit.testPathIgnorePatterns, '/read-or-create-pepper'],
};
