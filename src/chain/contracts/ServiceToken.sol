// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Capped} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Capped.sol";

/// @title The Token outside of ledgers: an ERC-20 of whole units.
/// @notice Never more than 2^53-1 exist, so that an amount is exact in every program that reads it as a JSON number.
contract ServiceToken is ERC20Capped, AccessControl {
    bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE");
    bytes32 public constant FREEZER_ROLE = keccak256("FREEZER_ROLE");

    /// @notice Addresses that may receive Tokens and not send any.
    mapping(address holder => bool) public frozen;

    event Frozen(address indexed holder);
    event Unfrozen(address indexed holder);

    error HolderFrozen(address holder);

    /// @param admin grants and revokes the roles; a multisig wherever the Token is worth something
    constructor(address admin) ERC20("Service Token", "SVC") ERC20Capped(2 ** 53 - 1) {
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
    }

    function decimals() public pure override returns (uint8) {
        return 0;
    }

    function mint(address to, uint256 amount) external onlyRole(MINTER_ROLE) {
        _mint(to, amount);
    }

    function freeze(address holder) external onlyRole(FREEZER_ROLE) {
        frozen[holder] = true;
        emit Frozen(holder);
    }

    function unfreeze(address holder) external onlyRole(FREEZER_ROLE) {
        frozen[holder] = false;
        emit Unfrozen(holder);
    }

    /// @dev A frozen holder still receives: refusing that would let a freeze stop whoever pays it.
    function _update(address from, address to, uint256 amount) internal override {
        require(!frozen[from], HolderFrozen(from));
        super._update(from, to, amount);
    }
}
